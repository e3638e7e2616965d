"""Any model server that speaks the OpenAI API; SGLang, vLLM and llama.cpp with what is their own."""

import uuid
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
import openai

from mcp_sim.core.canonical import JSON
from mcp_sim.errors import ContextExceededError, ModelRefusedError, ModelUnreachableError, PredictionError
from mcp_sim.predictors.language.bounded_stream import bound_response
from mcp_sim.predictors.language.completer import Completion, Request, unheard, unheard_failure
from mcp_sim.predictors.language.dialect import fields_of, refused_field, without
from mcp_sim.predictors.language.endpoint import Endpoint
from mcp_sim.predictors.language.retrying import pause_before_retry
from mcp_sim.predictors.language.server_facts import ServerFacts, read_facts, root_of
from mcp_sim.predictors.language.streaming import expect_event_stream, gather
from mcp_sim.predictors.language.wire_errors import is_complaint, translate

_READ_SECONDS = 600.0
_CONNECT_SECONDS = 5.0
_ABORT_SECONDS = 2.0


class OpenAICompleter:
    """One model on one server. It finds out what the server is at the first request, and anew after the connection was lost."""

    def __init__(self, url: str, *, model_name: str | None = None, api_key: str | None = None, concurrency: int = 8) -> None:
        """Connect to nothing yet.

        Raises:
            SetupError: the URL is none.
        """
        self._endpoint = Endpoint.read(url, api_key)
        self._endpoint.watch_logs()
        self._base = self._endpoint.base
        self.url = self._endpoint.conceal(self._base)
        """The server's address as it may be shown."""
        self._model_name = model_name
        headers = {"Accept-Encoding": "identity"}
        if api_key:
            headers["Authorization"] = f"Bearer {api_key}"
        self._http = httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS),
            auth=self._endpoint.user,
            params=self._endpoint.query,
            event_hooks={"response": [bound_response, self._endpoint.refuse_to_leave]},
            follow_redirects=True,
        )
        self._client = openai.AsyncOpenAI(
            base_url=self._base, api_key=api_key or "none", organization="", project="", max_retries=0, http_client=self._http
        )
        self._places = anyio.Semaphore(concurrency)
        self._facts: ServerFacts | None = None
        self._forgone: set[str] = set()

    async def facts(self) -> ServerFacts:
        """Return what the server says about itself.

        Raises:
            PredictionError: it does not answer, or not for this key and model.
        """
        if self._facts is None:
            with self._endpoint.concealing():
                self._facts = await read_facts(self._http, self._base, self._model_name)
        return self._facts

    async def context_tokens(self) -> int | None:
        """Return the model's context, if the server tells it.

        Raises:
            PredictionError: as for `facts`.
        """
        return (await self.facts()).context_tokens

    async def complete(
        self,
        request: Request,
        progress: Callable[[int], None] = unheard,
        failed: Callable[[PredictionError], None] = unheard_failure,
    ) -> Completion:
        """Return the whole answer. Cancelling closes the connection, and tells SGLang to abort, so that nothing more is generated.

        Raises:
            PredictionError: as the seam says.
        """
        async with self._places:
            facts = await self.facts()
            rid = f"mcp-sim-{uuid.uuid4().hex}"
            try:
                with self._endpoint.concealing():
                    return await self._complete(request, facts, rid, progress, failed)
            except (ModelUnreachableError, ModelRefusedError, ContextExceededError):
                self._facts = None  # another server may be there by now
                raise
            except anyio.get_cancelled_exc_class():
                if facts.engine == "sglang":
                    await self._abort(rid)
                raise

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.close()
        self._endpoint.ignore_logs()

    async def _complete(
        self,
        request: Request,
        facts: ServerFacts,
        rid: str,
        progress: Callable[[int], None],
        failed: Callable[[PredictionError], None],
    ) -> Completion:
        wanted = fields_of(request, facts.engine, rid)
        forgone = set(self._forgone)
        tries = 0
        while True:
            fields = without(wanted, forgone)
            try:
                return await self._stream(facts.model, request, fields, progress)
            except (openai.APIError, httpx2.HTTPError) as error:
                refusal = translate(error, self._base, facts.model)
                pause = pause_before_retry(error, tries)
                if pause is not None:
                    tries += 1
                    failed(self._endpoint.concealed(refusal))
                    await anyio.sleep(pause)
                    continue
                complains = is_complaint(error) and not isinstance(refusal, ContextExceededError)
                name = refused_field(str(error), fields) if complains else None
                if name is None:
                    raise (type(refusal)(f"{refusal} It was tried {tries + 1} times.") if tries else refusal) from error
                forgone.add(name)
                if name != "response_format":  # which was about one tool's schema
                    self._forgone.add(name)

    async def _stream(self, model: str, request: Request, fields: dict[str, JSON], progress: Callable[[int], None]) -> Completion:
        started = anyio.current_time()
        messages: Any = request.messages
        stream = await self._client.chat.completions.create(model=model, messages=messages, stream=True, extra_body=fields)
        async with stream:
            await expect_event_stream(stream.response, self._base)
            try:
                return await gather(stream, started, self._base, progress)
            except (openai.APIConnectionError, httpx2.HTTPError) as error:  # raised here: an answer that broke off is not asked for again
                raise translate(error, self._base, model) from error

    async def _abort(self, rid: str) -> None:
        """Tell SGLang to stop: it notices a closed connection only when it next writes to it, which a request that waits does not."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(_ABORT_SECONDS):
            try:
                await self._http.post(f"{root_of(self._base)}/abort_request", json={"rid": rid})
            except (httpx2.HTTPError, PredictionError):
                return  # the closed connection says the same
