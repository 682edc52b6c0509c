// A server that currently accepts no requests: its queue is full, or it is still loading its model.
import type { DemoFailure, Scenario } from '../model/scenario';

/** Neither server says how long to wait. The two spaces are in Ollama's text. */
const QUEUE_FULL: DemoFailure = {
  kind: 'failure',
  status: 503,
  message: 'server busy, please try again.  maximum pending requests exceeded',
  type: 'unavailable_error',
  code: 503,
};

const LOADING: DemoFailure = { ...QUEUE_FULL, message: 'Loading model' };

export const unavailable: Scenario = {
  name: 'unavailable',
  summary: 'Says 503 to every request: a full queue on the local side, a loading model on the hosted one.',
  reply: ({ protocol }) => (protocol === 'local' ? QUEUE_FULL : LOADING),
};
