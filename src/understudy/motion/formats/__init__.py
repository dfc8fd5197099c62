"""One file per format of clips: how it is told, read and written."""
