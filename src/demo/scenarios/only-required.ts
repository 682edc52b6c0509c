// A model that answers in prose: it describes a call until the request says that there has to be one.
import { nativeTurn } from '../model-steps';
import type { Scenario } from '../scenario';
import { proseOnly } from './prose-only';

export const onlyRequired: Scenario = {
  name: 'only-required',
  summary: 'Describes a call in prose, and makes it only when the tool choice is required (hosted protocol).',
  reply: (request) => (request.isCallRequired ? nativeTurn(request) : proseOnly.reply(request)),
};
