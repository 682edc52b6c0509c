// A model that describes a call in prose, unless the request demands a call.
import { nativeTurn } from '../model/model-steps';
import type { Scenario } from '../model/scenario';
import { proseOnly } from './prose-only';

export const onlyRequired: Scenario = {
  name: 'only-required',
  summary:
    'Describes a call in prose, and makes it only when the tool choice is required; the local protocol has no tool choice.',
  reply: (request) => (request.isCallRequired ? nativeTurn(request) : proseOnly.reply(request)),
};
