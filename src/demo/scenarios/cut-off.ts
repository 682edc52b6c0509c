// A server that crashes in the middle of its response.
import { nativeTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';

export const cutOff: Scenario = {
  name: 'cut-off',
  summary: 'Begins its answer, and the connection ends in the middle of it.',
  reply: (request) => {
    const turn = nativeTurn(request);
    // Words before the call, so that a stream shows something before it breaks off.
    return { ...turn, content: turn.content || 'Let me look that up, one moment please.', isCutOff: true };
  },
};
