// A model that quotes the results of its tools field by field, errors included.
import { quoteResults } from '../answer-from-result';
import { pendingResults } from '../conversation';
import { nativeTurn } from '../model-steps';
import { toTextTurn } from '../scenario';
import type { Scenario } from '../scenario';

export const usesResult: Scenario = {
  name: 'uses-result',
  summary: 'Calls natively, then quotes every field of the result, or the error.',
  reply: (request) => {
    const results = pendingResults(request.messages);
    return results.length > 0 ? toTextTurn(quoteResults(results)) : nativeTurn(request);
  },
};
