"""uvicorn's fast HTTP parser with a bound on what one request may send; by itself it has none."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# What uvicorn's other parser allows for headers.
MAX_HEAD_BYTES = 65_536
# A body too long has its refusal long before; until here the client may go on sending and still read it.
MAX_BODY_BYTES = 16 * 1_048_576


class BoundedHttpProtocol(HttpToolsProtocol):
    """Closes a connection whose headers, or whose body with all around it, do not end in time."""

    _is_in_head = True
    _received_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Take a piece of the stream, unless the pieces before it were already too much."""
        if self._received_bytes > (MAX_HEAD_BYTES if self._is_in_head else MAX_BODY_BYTES):
            self._give_up()
            return
        self._received_bytes += len(data)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Count anew for the body."""
        self._is_in_head = False
        self._received_bytes = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count anew for the next request."""
        self._is_in_head = True
        self._received_bytes = 0
        super().on_message_complete()

    def _give_up(self) -> None:
        self.logger.warning("A request does not end; its connection is closed")
        if self._is_in_head:
            self.send_400_response("The request headers are too long.")
        else:
            self.transport.abort()
