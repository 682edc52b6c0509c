// A busy server: every request is refused twice, first with a Retry-After header, then without.
import { nativeTurn, rateLimit } from '../model/model-steps';
import type { Scenario } from '../model/scenario';

export const rateLimited: Scenario = {
  name: 'rate-limited',
  summary: 'Says 429 to the first two attempts of every request, the first with Retry-After.',
  reply: (request) => {
    if (request.attempt === 1) return rateLimit(request, 1);
    if (request.attempt === 2) return rateLimit(request);
    return nativeTurn(request);
  },
};
