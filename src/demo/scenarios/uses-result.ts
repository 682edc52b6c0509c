// A model that quotes the results of its tools field by field, errors included.
import { quoteResults } from '../model/answer-from-result';
import { pendingResults } from '../model/conversation';
import { nativeTurn } from '../model/model-steps';
import { toTextTurn } from '../model/scenario';
import type { Scenario } from '../model/scenario';

export const usesResult: Scenario = {
  name: 'uses-result',
  summary: 'Calls natively, then quotes every field of the result, or the error.',
  reply: (request) => {
    const results = pendingResults(request.messages);
    return results.length > 0 ? toTextTurn(quoteResults(results)) : nativeTurn(request);
  },
};
