// A server that has stopped working with its port still open.
import type { Scenario } from '../scenario';

export const hangs: Scenario = {
  name: 'hangs',
  summary: 'Takes the request and never answers.',
  reply: () => ({ kind: 'silence' }),
};
