// A model that works as intended: native tool calls, then an answer from the results.
import { nativeTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';

export const nativeCall: Scenario = {
  name: 'native-call',
  summary: 'Calls tools natively; when the message fits several, it asks for all of them.',
  reply: (request) => nativeTurn(request),
};
