// A model whose server does not parse its calls: they arrive as <tool_call> text in the content.
import { toDemoCall, writtenTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';
import { toHermesText } from '../model/tool-call-text';

export const hermesText: Scenario = {
  name: 'hermes-text',
  summary: 'Writes a sentence, then its tool call as <tool_call> text.',
  reply: (request) =>
    writtenTurn(request, (call) => `Let me look that up.\n${toHermesText([toDemoCall(call)])}`),
};
