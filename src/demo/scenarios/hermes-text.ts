// A model whose chat template is not wired up: its call arrives as <tool_call> text inside the content.
import { toDemoCall, writtenTurn } from '../model-steps';
import type { Scenario } from '../scenario';
import { toHermesText } from '../tool-call-text';

export const hermesText: Scenario = {
  name: 'hermes-text',
  summary: 'Writes a sentence, then its tool call as <tool_call> text.',
  reply: (request) =>
    writtenTurn(request, (call) => `Let me look that up.\n${toHermesText([toDemoCall(call)])}`),
};
