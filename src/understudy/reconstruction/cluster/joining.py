"""Finding Ray: the package, a running cluster, or one of our own on this machine. Only this room's files import it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from understudy.errors import MissingPackageError, ReconstructionError

_KNOCK_S = 5.0
_STORE_BYTES = 256 << 20  # what is under way at once is a few megabytes
_QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # else under ``uv run`` it copies the current folder to every machine
}


def import_ray() -> Any:
    """The package, which takes a second to load."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as problem:
        raise MissingPackageError("simulating on Ray needs ray: pip install 'understudy[cluster]'") from problem
    return ray


@contextlib.contextmanager
def ray_joined(address: str = "auto", n_workers: int | None = None) -> Iterator[str]:
    """While it lasts this process belongs to a Ray cluster; the value says in a sentence to which.

    A process that belongs to one already stays in it, also afterwards. A cluster that was running goes on running.

    Args:
        address: ``local`` starts Ray on this machine; ``HOST:PORT`` joins that cluster; ``auto`` joins the one that
            RAY_ADDRESS names or that ``ray start`` began on this machine, and is ``local`` where there is none.
        n_workers: for how many workers Ray is started; None is the processors of this machine.

    Raises:
        MissingPackageError: when the package is not installed.
        ReconstructionError: when there is no cluster at that address.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield "this process is in a Ray cluster already"
        return
    where = _cluster_at(address)
    with _started(ray, n_workers, address) if where is None else _joined(ray, where, address) as told:
        yield told


@contextlib.contextmanager
def _started(ray: Any, n_workers: int | None, address: str) -> Iterator[str]:
    count, folder = n_workers or _own_processors(), _short_folder()
    try:
        ray.init(
            "local",
            num_cpus=count,
            object_store_memory=_STORE_BYTES,
            include_dashboard=False,
            _temp_dir=folder,
            **_QUIET,
        )
        why = "no Ray cluster is running; " if address == "auto" else ""
        yield f"{why}Ray was started on this machine, for {count} workers"
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _joined(ray: Any, where: str, address: str) -> Iterator[str]:
    try:
        ray.init(None if address == "auto" else where, **_QUIET)  # a cluster found by itself is asked with its token
    except (ConnectionError, RuntimeError, ValueError, OSError) as problem:
        hint = "if the cluster asks for a token, set RAY_AUTH_MODE=token"
        raise ReconstructionError(f"can't join the Ray cluster at {where} ({problem}); {hint}") from problem
    try:
        yield f"joined the Ray cluster at {where}: {processors(ray)[0]:g} processors"
    finally:
        ray.shutdown()


def processors(ray: Any) -> tuple[float, float]:
    """How many the cluster has, and how many of them are free."""
    return float(ray.cluster_resources().get("CPU", 0.0)), float(ray.available_resources().get("CPU", 0.0))


def _cluster_at(address: str) -> str | None:
    """The running cluster that is meant, None when one has to be started. Ray itself waits minutes for a dead one."""
    if address == "local":
        return None
    named = os.environ.get("RAY_ADDRESS") if address == "auto" else address
    if named == "local":
        return None
    if named:
        if not _answers(named):
            raise ReconstructionError(
                f"no Ray cluster answers at {named}; begin one there with ray start --head, or use --ray local"
            )
        return named
    recorded = _recorded()
    return recorded if recorded and _answers(recorded) else None


def _recorded() -> str:
    """Where ``ray start`` noted its cluster on this machine; empty when it did not."""
    folder = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    try:
        return Path(folder, "ray", "ray_current_cluster").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _answers(address: str) -> bool:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdigit() and int(port) < 65536):
        raise ReconstructionError(f"'{address}' is no Ray address; give auto, local or HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _KNOCK_S).close()
    except OSError:
        return False
    return True


def _own_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _short_folder() -> str:
    """A folder for Ray's logs and sockets; a socket's path may have no more than about a hundred characters."""
    return tempfile.mkdtemp(prefix="understudy-ray-", dir="/tmp" if Path("/tmp").is_dir() else None)
