// Damage that is typical of small models: the call is complete, but has single quotes, a trailing comma and no close tag.
import { writtenTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';
import { toDamagedText } from '../model/tool-call-text';

export const malformedCall: Scenario = {
  name: 'malformed-call',
  summary: 'Writes its tool call as text with single quotes, a trailing comma and no close tag.',
  reply: (request) => writtenTurn(request, (call) => toDamagedText(call.name, call.arguments)),
};
