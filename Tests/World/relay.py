"""A line between programs that can be slow, or cut: what comes to its port goes to one of the targets."""

import asyncio
import random
import threading


class Relay:
    """Passes TCP connections on until it leaves its `with` block.

    `targets` are ports of this machine, or paths of sockets; each connection goes to one by chance, or to the next that
    answers. `delay` is in seconds each way. While `is_cut` nothing passes, and nobody is told. `hold_back` loses the
    answer to one question."""

    def __init__(self, *targets, host="127.0.0.1"):
        self.targets, self.delay, self.is_cut = list(targets), 0, False
        self._held, self._is_asked = None, False
        self._writers = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._accept, host, 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    async def _accept(self, reader, writer):
        for target in random.sample(self.targets, len(self.targets)):
            try:
                there = asyncio.open_connection("127.0.0.1", target) if isinstance(target, int) \
                    else asyncio.open_unix_connection(target)
                far_reader, far_writer = await there
                break
            except OSError:
                continue
        else:
            writer.transport.abort()
            return
        pair = {writer, far_writer}
        self._writers |= pair
        await asyncio.wait(
            [asyncio.create_task(one) for one in (
                self._pass_on(reader, far_writer), self._pass_on(far_reader, writer, is_answer=True))],
            return_when=asyncio.FIRST_COMPLETED)
        for one in pair:
            one.close()
        self._writers -= pair

    async def _pass_on(self, reader, writer, is_answer=False):
        try:
            while data := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self._held and not is_answer and self._held[0] in data:
                    self._is_asked = True
                is_held = is_answer and self._is_asked and self._held[1] in data
                while self.is_cut or is_held and self._held:
                    await asyncio.sleep(0.05)
                writer.write(data)
                await writer.drain()
        except OSError:
            pass

    def hold_back(self, question, answer):
        """Once the first bytes have gone to a target, an answer with the second ones is held back, and what is behind
        it. With `hang_up` it is lost."""
        self._held, self._is_asked = (question, answer), False

    def hang_up(self):
        """Ends all connections before it returns. New ones are passed on."""
        self._run(self._end_all())

    async def _end_all(self):
        for one in list(self._writers):
            one.transport.abort()
        self._held, self._is_asked = None, False

    def __enter__(self):
        return self

    async def _close(self):
        # On its own thread: with a connection that ends at that moment, the server would wake its waiters twice.
        self._server.close()
        await self._end_all()

    def __exit__(self, *_):
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
