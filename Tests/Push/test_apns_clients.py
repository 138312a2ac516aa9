"""Other people's senders to Apple, unmodified but for the host they are given, ring a running agent."""

import asyncio
import concurrent.futures
import importlib.metadata
import itertools
import random
import ssl
import uuid

import aioapns
import aioapns.connection
import kalyke
import pyapns_client
import pytest

from agent import Agent
from apns import APP, TEAM, Entry
from hub import command, eventually
from trials import some

# These clients use functions that are deprecated in the libraries under them.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

# Kills of the hub, one after an answer each.
KILLS = some(40)


@pytest.fixture
def entry(make_hub):
    return Entry(make_hub)


def run(coroutine):
    """Runs it in a thread of its own: in this one, a test of pages may have left Playwright's loop running."""
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Aioapns:
    """Sends by aioapns, on one connection for all, without ALPN and :authority."""

    def __init__(self, entry, monkeypatch, certificate=None):
        host = aioapns.connection.APNsProductionClientProtocol
        monkeypatch.setattr(host, "APNS_SERVER", "localhost")
        monkeypatch.setattr(host, "APNS_PORT", entry.port, raising=False)
        self.entry, self.certificate = entry, certificate

    async def send(self, *requests):
        context = ssl.create_default_context(cafile=self.entry.authority)
        shows = {"client_cert": str(self.certificate)} if self.certificate else {
            "key": open(self.entry.provider["p8"], encoding="ascii").read(), "key_id": self.entry.provider["key_id"],
            "team_id": TEAM, "topic": APP}
        sender = aioapns.APNs(ssl_context=context, err_func=self._ignore, **shows)
        try:
            return await asyncio.gather(*(sender.send_notification(request) for request in requests))
        finally:
            sender.pool.close()
            await asyncio.sleep(0)

    async def _ignore(self, *_):
        pass

    def push(self, token, title, **options):
        request = aioapns.NotificationRequest(token, {"aps": {"alert": {"title": title}}}, **options)
        answer, = run(self.send(request))
        return int(answer.status), answer.description, answer.timestamp


class Pyapns:
    """Sends by pyapns_client, without an id."""

    def __init__(self, entry, monkeypatch):
        monkeypatch.setitem(pyapns_client.APNSClient.BASE_URLS, "prod", entry.url)
        self.client = pyapns_client.APNSClient(
            mode="prod", root_cert_path=str(entry.authority), auth_key_path=entry.provider["p8"],
            auth_key_id=entry.provider["key_id"], team_id=TEAM)

    def push(self, token, title):
        alert = pyapns_client.IOSPayloadAlert(title=title)
        notification = pyapns_client.IOSNotification(payload=pyapns_client.IOSPayload(alert=alert), topic=APP)
        try:
            self.client.push(notification=notification, device_token=token)
        except pyapns_client.UnregisteredException as error:
            return error.status_code, "Unregistered", error.timestamp
        finally:
            self.client.close()
        return 200, None, None


class Kalyke:
    """Sends by kalyke: a connection and a token for each push, with `iat` as a string."""

    def __init__(self, entry, monkeypatch):
        monkeypatch.setenv("SSL_CERT_FILE", str(entry.authority))

        class Client(kalyke.ApnsClient):
            @property
            def _base_url(self):
                return entry.url

        self.client = Client(use_sandbox=False, team_id=TEAM, auth_key_id=entry.provider["key_id"],
                             auth_key_filepath=entry.provider["p8"])

    def push(self, token, title):
        payload = kalyke.Payload(alert=kalyke.PayloadAlert(title=title))
        try:
            identifier = run(self.client.send_message(
                device_token=token, payload=payload, apns_config=kalyke.ApnsConfig(topic=APP)))
        except kalyke.exceptions.Unregistered as error:
            return 410, "Unregistered", error.error["timestamp"] if hasattr(error, "error") else None
        assert uuid.UUID(identifier)
        return 200, None, None


@pytest.mark.parametrize("sender", [Aioapns, Pyapns, Kalyke])
def test_an_unmodified_sender_rings_an_agent_until_its_device_is_removed(entry, tmp_path, monkeypatch, sender):
    assert importlib.metadata.version("aioapns") == "4.0"
    device = entry.device()
    client = sender(entry, monkeypatch)
    with Agent(tmp_path, entry.hub.url, secret=device["secret"]) as agent:
        agent.wait_told("connected")
        for number in range(3):
            assert client.push(device["device_token"], f"number {number}") == (200, None, None)
            agent.wait_told("shown", content={"title": f"number {number}"})
        assert command("device", "delete", device["id"], "--data", entry.hub.data).returncode == 0
    status, reason, stamp = client.push(device["device_token"], "too late")
    assert (status, reason) == (410, "Unregistered") and (stamp is None or stamp > 1_700_000_000_000)
    # The device registers again, and gets another token.
    again = entry.device()
    (tmp_path / "again").mkdir()
    with Agent(tmp_path / "again", entry.hub.url, secret=again["secret"]) as agent:
        agent.wait_told("connected")
        assert client.push(device["device_token"], "still too late")[0] == 410
        assert client.push(again["device_token"], "welcome") == (200, None, None)
        agent.wait_told("shown", content={"title": "welcome"})
        assert len(agent.told("shown")) == 1


def test_aioapns_sends_many_at_once_and_by_a_certificate(entry, tmp_path, monkeypatch):
    device = entry.device()
    made = entry.make("certificate")
    with Agent(tmp_path, entry.hub.url, secret=device["secret"]) as agent:
        agent.wait_told("connected")
        for client in (Aioapns(entry, monkeypatch), Aioapns(entry, monkeypatch, made["pem"])):
            before = len(agent.told("shown"))
            requests = [aioapns.NotificationRequest(
                device["device_token"], {"aps": {"alert": f"{number}"}}, time_to_live=600, priority=10,
                push_type=aioapns.PushType.ALERT) for number in range(300)]
            answers = run(client.send(*requests))
            assert {answer.status for answer in answers} == {"200"}
            eventually(lambda before=before: len(agent.told("shown")) == before + 300, 30)
        # Refusals come back to the request that they are for, in the middle of others.
        mixed = [aioapns.NotificationRequest(
            device["device_token"] if number % 2 else "ab" * 32, {"aps": {"alert": "mixed"}}) for number in range(50)]
        answers = run(client.send(*mixed))
        assert [answer.description for answer in answers] == [
            None if number % 2 else "BadDeviceToken" for number in range(50)]


@pytest.mark.timeout(30 + 10 * KILLS)
def test_what_was_answered_with_200_arrives_once_whatever_becomes_of_the_hub(entry, tmp_path, monkeypatch):
    """The hub is killed after each answer, and sometimes in the middle of pushes, which aioapns sends again."""
    chance = random.Random(7)
    device = entry.device()
    client = Aioapns(entry, monkeypatch)
    titles, numbers = [], itertools.count()
    agent = Agent(tmp_path, entry.hub.url, secret=device["secret"])
    with agent:
        for _ in range(KILLS):
            title = f"number {next(numbers)}"
            identifier = str(uuid.uuid4())
            assert client.push(device["device_token"], title, notification_id=identifier)[0] == 200
            entry.hub.kill()
            titles.append(title)
            entry.hub.start()
            if chance.random() < 0.5:
                # A sender that did not hear the answer: the same push once more.
                assert client.push(device["device_token"], title, notification_id=identifier)[0] == 200
    # Once more, so that it does not wait before it connects.
    with agent:
        eventually(lambda: {line["content"]["title"] for line in agent.told("shown")} == set(titles), 60)
        fresh = [line["content"]["title"] for line in agent.told("shown") if not line["repeat"]]
        assert sorted(fresh) == sorted(titles)
