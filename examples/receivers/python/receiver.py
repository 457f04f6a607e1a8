"""A receiver of webhooks for Python 3.8 or newer, without dependencies:

WEBHOOK_SECRET=whsec_… PORT=3000 python3 receiver.py
"""

import hashlib
import hmac
import json
import os
import threading
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
if not SECRET:
    raise SystemExit("WEBHOOK_SECRET is empty")

# Anybody can send to this address: do not keep more of a body than any event needs.
MAX_BODY_BYTES = 1024 * 1024

# An event can come twice. This forgets the oldest, and everything when the process ends: a real receiver
# records processed events in its database, in the transaction that processes them.
MAX_SEEN = 1_000
seen = {}
seen_lock = threading.Lock()


def is_new(event_id):
    with seen_lock:
        if event_id in seen:
            return False
        seen[event_id] = True
        if len(seen) > MAX_SEEN:
            del seen[next(iter(seen))]
        return True


def verified(body, signature):
    """The event, or None when it is not from the service."""
    webhook = json.loads(body.decode("utf-8"))
    # createdAt is UTC and does not say so. It is never converted here, so the machine's zone does not matter.
    created_at = datetime.strptime(webhook["createdAt"], "%Y-%m-%d %H:%M:%S.%f")
    message = "".join(
        [
            webhook["eventId"],
            created_at.isoformat(timespec="milliseconds") + "Z",
            # As JavaScript writes it: no spaces, and no escapes for what is not ASCII.
            json.dumps(webhook["event"], separators=(",", ":"), ensure_ascii=False),
        ]
    )
    expected = "sha256=" + hmac.new(SECRET, message.encode("utf-8"), hashlib.sha256).hexdigest()
    # Takes the same time wherever the two differ. As bytes, because of text it takes ASCII only.
    return webhook if hmac.compare_digest(expected.encode(), signature.encode()) else None


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds that a connection may be silent

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= MAX_BODY_BYTES):
            return self.answer(413, "too large, or of unknown length")
        try:
            webhook = verified(self.rfile.read(int(length)), self.headers.get("x-webhook-signature-256", ""))
        except (ValueError, KeyError, TypeError, RecursionError):
            # Not JSON, or not an event.
            webhook = None
        if webhook is None:
            return self.answer(403, "wrong signature")
        if is_new(webhook["eventId"]):
            # Slow work belongs in a queue: the service waits 15 seconds for the answer.
            print(f"{webhook['eventType']}/{webhook['eventAction']} {webhook['eventId']}", flush=True)
        return self.answer(200, "OK")

    def answer(self, status, text):
        body = f"{text}\n".encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # connections that may wait; with the 5 of the library a burst takes seconds


if __name__ == "__main__":
    server = Server(("", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on port {server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
