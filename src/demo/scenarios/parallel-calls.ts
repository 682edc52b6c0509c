// A model that makes two calls in one turn.
import { nativeTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';
import { twoCalls } from '../model/two-calls';

export const parallelCalls: Scenario = {
  name: 'parallel-calls',
  summary: 'Makes two native calls in one turn: two tools, or one tool for two places.',
  reply: (request) => nativeTurn(request, twoCalls),
};
