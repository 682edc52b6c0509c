// A server that hangs while its port is still open.
import type { Scenario } from '../model/scenario';

export const hangs: Scenario = {
  name: 'hangs',
  summary: 'Takes the request and never answers.',
  reply: () => ({ kind: 'silence' }),
};
