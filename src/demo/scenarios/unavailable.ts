// A server that currently accepts no requests: its queue is full, or it is still loading its model.
import type { DemoFailure, DemoProtocol, Scenario } from '../model/scenario';

/** Neither server says how long to wait. The two spaces are in Ollama's text. */
const QUEUE_FULL: DemoFailure = {
  kind: 'failure',
  status: 503,
  message: 'server busy, please try again.  maximum pending requests exceeded',
  type: 'unavailable_error',
  code: 503,
};

const LOADING: DemoFailure = { ...QUEUE_FULL, message: 'Loading model' };

/** As Anthropic and OpenAI say it. */
const OVERLOADED: DemoFailure = {
  kind: 'failure',
  status: 529,
  message: 'Overloaded',
  type: 'overloaded_error',
  code: 529,
};
const SERVER_OVERLOADED: DemoFailure = {
  kind: 'failure',
  status: 503,
  message: 'Our servers are currently overloaded. Please try again later.',
  type: 'service_unavailable_error',
  code: 'server_is_overloaded',
};

const ANSWERS: Readonly<Record<DemoProtocol, DemoFailure>> = {
  local: QUEUE_FULL,
  hosted: LOADING,
  messages: OVERLOADED,
  responses: SERVER_OVERLOADED,
};

export const unavailable: Scenario = {
  name: 'unavailable',
  summary: 'Says to every request that it has no room: 503, or 529 as the Messages API does.',
  reply: ({ protocol }) => ANSWERS[protocol],
};
