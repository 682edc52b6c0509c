// A model that is still loading: nothing is sent for half a minute.
import { nativeTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';

const SLOW_DELAY_MS = 30_000;

export const slow: Scenario = {
  name: 'slow',
  summary: 'Waits 30 seconds before its headers, then calls tools natively.',
  reply: (request) => ({ ...nativeTurn(request), delayMs: SLOW_DELAY_MS }),
};
