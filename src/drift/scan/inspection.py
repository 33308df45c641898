"""A look at one file: is it there, is it text, who wrote it."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from drift.documents.kinds import document_kind
from drift.kernel.reading import ProjectFiles
from drift.scan.copies import Copies
from drift.scan.discovery import DiscoverOptions, FoundFile, KnownFile, SkippedFile, SkipReason
from drift.scan.roles import HEAD_BYTES, Role, is_binary_head, is_minified_head, role_rules


class Inspection:
    """Looks at files of a project, and at the content of those that have changed since they were known."""

    def __init__(
        self, files: ProjectFiles, root: Path, options: DiscoverOptions, *, known: Mapping[str, KnownFile]
    ) -> None:
        self._root = os.fspath(root)
        self._files = files
        self._options = options
        self._known = known
        self._rules = role_rules()
        self._real_directories = {"": True}
        self.copies = Copies(files, root.name)

    def look(
        self, directory: str, name: str, language: str | None, *, is_forced: bool
    ) -> FoundFile | SkippedFile | None:
        """The file, why it is skipped, or None if there is none (git lists deleted ones, too).

        A forced file is read though it looks generated or vendored.
        """
        path = f"{directory}/{name}" if directory else name
        if not self._is_real(directory):
            return SkippedFile(path, SkipReason.LINK)
        try:
            status = os.lstat(f"{self._root}/{path}")
        except FileNotFoundError:
            return None
        except OSError:
            return SkippedFile(path, SkipReason.UNREADABLE)
        if not stat.S_ISREG(status.st_mode):
            return SkippedFile(path, SkipReason.LINK)
        if status.st_size > self._options.max_file_bytes:
            return SkippedFile(path, SkipReason.OVERSIZED, 1, status.st_size, status.st_mtime_ns)
        known = self._known.get(path)
        if known is not None and (known.size, known.mtime_ns) == (status.st_size, status.st_mtime_ns):
            reason, role = known.skipped, known.role
        else:
            role = self._role_of(directory, name, language)
            reason, role = self._judge_content(path, name, language, role)
        is_wanted = is_forced or name in self._rules.wiring
        if reason is None or self._is_read_though(reason, is_forced=is_wanted):
            return FoundFile(path, status.st_size, status.st_mtime_ns, language, role, status.st_ctime_ns)
        return SkippedFile(path, reason, 1, status.st_size, status.st_mtime_ns)

    def _role_of(self, directory: str, name: str, language: str | None) -> Role:
        if language is None and document_kind(directory, name) is None:
            return "config"
        role = self._rules.role_of(directory, name, language)
        return "config" if language is None and role == "source" else role

    def _is_read_though(self, reason: SkipReason, *, is_forced: bool) -> bool:
        """Whether somebody asked for files that are skipped for this reason."""
        if reason is SkipReason.GENERATED:
            return is_forced or self._options.has_generated
        return reason is SkipReason.VENDORED and (is_forced or self._options.has_vendored)

    def _judge_content(
        self, path: str, name: str, language: str | None, role: Role
    ) -> tuple[SkipReason | None, Role]:
        if role == "vendored":
            return SkipReason.VENDORED, "vendored"
        if self._rules.is_minified_name(path, name):
            return SkipReason.MINIFIED, "generated"
        try:
            head = self._files.read_beginning(path, HEAD_BYTES, follow_links=False)
        except OSError:
            return SkipReason.UNREADABLE, role
        if is_binary_head(head):
            return SkipReason.BINARY, role
        if role == "source" and self._rules.is_used_though_generated(head):
            return None, "generated"
        if role == "generated" or self._rules.is_generated_head(head):
            return SkipReason.GENERATED, "generated"
        if self._rules.is_served_library(path.rpartition("/")[0], language, head) or self.copies.is_copy(
            name, language, head
        ):
            return SkipReason.VENDORED, "vendored"
        if is_minified_head(head, language) or self._rules.is_bundled_head(head):
            return SkipReason.MINIFIED, "generated"
        return None, role

    def _is_real(self, directory: str) -> bool:
        """Whether no directory on the way is a link, which could lead out of the project."""
        if directory not in self._real_directories:
            is_above_real = self._is_real(directory.rpartition("/")[0])
            self._real_directories[directory] = is_above_real and self._is_directory(directory)
        return self._real_directories[directory]

    def _is_directory(self, directory: str) -> bool:
        try:
            return not stat.S_ISLNK(os.lstat(f"{self._root}/{directory}").st_mode)
        except OSError:
            return True  # the file below will say what is wrong
