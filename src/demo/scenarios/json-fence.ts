// A model that was not trained on any markup: its call arrives as a JSON code block in the content.
import { toDemoCall, writtenTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';
import { toFencedText } from '../model/tool-call-text';

export const jsonFence: Scenario = {
  name: 'json-fence',
  summary: 'Writes a sentence, then its tool call as a JSON code block.',
  reply: (request) =>
    writtenTurn(request, (call) => `I will call a tool.\n\n${toFencedText(toDemoCall(call))}`),
};
