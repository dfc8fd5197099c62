"""The report of a performance: one HTML file that needs nothing else."""

from understudy.stage.report.page import write_report

__all__ = ["write_report"]
