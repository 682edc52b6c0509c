// What to do next about what a server said. Whoever knows the server and the settings can say more.
import type { FoundWords, ServerName, WordsCause } from '../../../types';
import { NO_EMBEDDINGS, NO_NUMBER, NO_POOLING } from '../../util/check-vectors';

const CALL =
  'Look at what the model wrote, if anything of it arrived; then try a lower temperature, another model, or another chat template or tool parser on the server.';

const ADVICE: Readonly<Record<WordsCause, string>> = {
  'unread-call': CALL,
  'cut-call': 'Raise the token limit of the reply, or leave it out.',
  'unknown-tool': 'Offer the tool that the model called, or name the offered ones in the system prompt.',
  'context-overflow':
    'Send less: a shorter conversation, fewer tools, a lower token limit; or use a larger context.',
  'output-limit': 'Lower the token limit of the reply (maxTokens), or leave it out.',
  'prompt-filter':
    'Change the prompt, which a content filter of the service refused before the model saw it; or change the filter of the deployment.',
  'rate-limit': 'Wait, or send fewer requests at once.',
  quota: 'Check the balance and the limits of the account that the key belongs to.',
  'refused-messages':
    'Change the messages: their order, their roles, or what belongs to the calls and results among them.',
  'model-without-tools': 'Choose a model or a provider that supports tools, or offer none.',
  'server-without-tools': 'Start the server with support for tools.',
  'no-such-model': 'Choose a model that the server has, or install this one.',
  'refused-schema':
    'Change the schema or the name of the tool that the server names, or do not offer it; servers refuse parts of schemas that others accept.',
  'refused-parameter': 'Leave the parameter out that the server names.',
  'thinking-or-choice': 'Leave the choice of a tool to the model (auto), or turn its thinking off.',
  'no-stored-response':
    'Leave `previous_response_id` out: the whole conversation is sent each time. Many servers store no responses.',
  'no-number': NO_NUMBER,
  'long-text': 'Shorten the texts, or split them and embed the parts.',
  'many-texts': 'Send fewer texts at once, in several batches.',
  'no-pooling': NO_POOLING,
  'no-embeddings': NO_EMBEDDINGS,
  'refused-request': 'Correct the request as the server says.',
};

/** What one server in particular can do in place of it. */
const OWN_ADVICE: Partial<Record<WordsCause, Partial<Record<ServerName, string>>>> = {
  'long-text': {
    'llama-server':
      'Shorten the texts or split them, or start the server with a larger batch (`-b` and `-ub`); a text must fit into one.',
  },
  'no-embeddings': {
    'llama-server': 'Start the server with `--embeddings` and an embedding model.',
    vllm: 'Choose an embedding model, or start the server with one.',
  },
};

export const adviseOn = ({ cause, server }: Pick<FoundWords, 'cause' | 'server'>): string =>
  (server && OWN_ADVICE[cause]?.[server]) ?? ADVICE[cause];
