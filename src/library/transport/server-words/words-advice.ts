// What to do next about what a server said. Whoever knows the server and the settings can say more.
import type { FoundWords, WordsCause } from '../../../types';

const CALL =
  'Look at what the model wrote, if anything of it arrived; then try a lower temperature, another model, or another chat template or tool parser on the server.';

const ADVICE: Readonly<Record<WordsCause, string>> = {
  'unread-call': CALL,
  'cut-call': 'Raise the token limit of the reply, or leave it out.',
  'unknown-tool': 'Offer the tool that the model called, or name the offered ones in the system prompt.',
  'context-overflow':
    'Send less: a shorter conversation, fewer tools, a lower token limit; or use a larger context.',
  'output-limit': 'Lower the token limit of the reply (maxTokens), or leave it out.',
  'rate-limit': 'Wait, or send fewer requests at once.',
  quota: 'Check the balance and the limits of the account that the key belongs to.',
  'refused-messages':
    'Change the messages: their order, their roles, or what belongs to the calls and results among them.',
  'model-without-tools': 'Choose a model or a provider that supports tools, or offer none.',
  'server-without-tools': 'Start the server with support for tools.',
  'no-such-model': 'Choose a model that the server has, or install this one.',
  'refused-request': 'Correct the request as the server says.',
};

export const adviseOn = ({ cause }: Pick<FoundWords, 'cause'>): string => ADVICE[cause];
