// Stand in for the Python packages that copied code imports and that may not be installed: the parts of them that it uses, with
// the strictness of the real ones. What they send is what versions 1.13 (anthropic) and 3.22 (openai) send.

const HTTPX = `
import json as _json
import urllib.request
class _Response:
    def __init__(self, answer):
        self.status_code = answer.status
        self.text = answer.read().decode()
def request(method, url, headers, timeout, json=None, content=None):
    data = content if json is None else _json.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
    return _Response(urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers, method=method)))
`;

const CLIENT = `
import types
import httpx
from urllib.parse import urlencode

class Omit: pass

class _Reply:
    def __iter__(self): return iter(())
    def to_json(self, indent=2): return "{}"

class Base:
    def __init__(self, base_url, key_headers, default_headers=None, default_query=None):
        self.base_url = base_url
        self.headers = {name.lower(): value for name, value in key_headers.items()}
        self.headers.update({name.lower(): value for name, value in (default_headers or {}).items()})
        self.query = default_query
    def send(self, path, body, extra_body=None):
        headers = {name: value for name, value in self.headers.items() if not isinstance(value, Omit)}
        url = self.base_url + path + ("?" + urlencode(self.query) if self.query else "")
        httpx.request("POST", url, {"content-type": "application/json", **headers}, None, json={**body, **(extra_body or {})})
        return _Reply()
    def method(self, path, required, others):
        def create(extra_body=None, **body):
            unknown = set(body) - set(required) - set(others)
            missing = set(required) - set(body)
            if unknown or missing: raise TypeError(f"unknown: {unknown}, missing: {missing}")
            return self.send(path, body, extra_body)
        return types.SimpleNamespace(create=create)
`;

const ANTHROPIC = `
import os
from _client import Base, Omit

class Anthropic(Base):
    def __init__(self, *, base_url, api_key=None, auth_token=None, timeout=None, **others):
        assert timeout, "Streaming is required for operations that may take longer than 10 minutes"
        if api_key is None and auth_token is None: raise TypeError("Could not resolve authentication method")
        keys = {"X-Api-Key": api_key} if api_key is not None else {}
        if auth_token is not None: keys["Authorization"] = f"Bearer {auth_token}"
        super().__init__(base_url, {"anthropic-version": "2026-10-21", **keys}, **others)
        self.messages = self.method("/v1/messages", ["max_tokens", "messages", "model"], [
            "metadata", "stop_sequences", "stream", "system", "thinking", "tool_choice", "tools"])
`;

const OPENAI = `
import types
from _client import Base, Omit

class OpenAI(Base):
    def __init__(self, *, base_url, api_key, **others):
        super().__init__(base_url, {"Authorization": f"Bearer {api_key}"}, **others)
        self.responses = self.method("/responses", [], [
            "input", "instructions", "max_output_tokens", "model", "parallel_tool_calls", "store", "stream", "temperature",
            "text", "tool_choice", "tools", "top_p"])
        self.chat = types.SimpleNamespace(completions=self.method("/chat/completions", ["messages", "model"], [
            "max_completion_tokens", "max_tokens", "parallel_tool_calls", "response_format", "seed", "stop", "stream",
            "stream_options", "temperature", "tool_choice", "tools", "top_p"]))
`;

/** By the name of the file. */
export const PYTHON_PACKAGES: Readonly<Record<string, string>> = {
  'httpx.py': HTTPX,
  '_client.py': CLIENT,
  'anthropic.py': ANTHROPIC,
  'openai.py': OPENAI,
};
