// For the first minute with the extension: two rate limits with a wait, then a call written as text, then an answer from its
// result.
import { hasToolResult } from '../model/conversation';
import { rateLimit } from '../model/model-steps';
import type { Scenario } from '../model/scenario';
import { hermesText } from './hermes-text';

export const firstLook: Scenario = {
  name: 'first-look',
  summary: 'Says 429 twice with Retry-After, then writes its tool call as text.',
  reply: (request) => {
    const isRefused = !hasToolResult(request.messages) && request.attempt <= 2;
    return isRefused ? rateLimit(request, 1) : hermesText.reply(request);
  },
};
