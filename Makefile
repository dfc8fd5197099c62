# make demo   set everything up and let a character perform a bundled clip
# make test   set everything up and run every check
# make bench  run every benchmark and write benchmarks/results
.PHONY: demo test bench pictures

BIN := .venv/bin
BENCHMARKS := loading stepping settings servos drawing fitting fuzz cluster sampler follow transform methods

.venv/ready: pyproject.toml tools/setup.sh
	@sh tools/setup.sh

demo: .venv/ready
	@$(BIN)/understudy demo

test: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest
	@sh tools/smoke_wheel.sh

bench: .venv/ready
	@for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python benchmarks/$$name.py || exit 1; done

pictures: .venv/ready
	@MUJOCO_GL=egl $(BIN)/python docs/make_pictures.py
