"""What searches: ours and the paper's, what they know meanwhile, and how that is kept in a file."""

from understudy.reconstruction.sampling.checkpoint import Diary, fingerprint
from understudy.reconstruction.sampling.guided import GuidedSearch
from understudy.reconstruction.sampling.path import Path, Search, halfway
from understudy.reconstruction.sampling.samcon import SamconSearch

__all__ = ["Diary", "GuidedSearch", "Path", "SamconSearch", "Search", "fingerprint", "halfway"]
