// Where the demo server deliberately answers differently from the recorded servers, and why.

export interface Difference {
  recording: string;
  reason: string;
  /** The scripted model that the request names. @default 'native-call' */
  model?: string;
  /** Paths of JSON members that are not compared. */
  ignored?: readonly string[];
  /** Pattern of the error text that replaces the recorded one; status and headers are the same. */
  text?: RegExp;
  /** The different answer, with another status or shape. Such a recording is not in RECORDINGS. */
  answers?: { status: number; body: RegExp };
}

export const DIFFERENCES: readonly Difference[] = [
  {
    recording: 'ollama-show',
    reason: 'a scripted model has no tensors and few facts about itself',
    ignored: ['model_info', 'tensors'],
  },
  {
    recording: 'llamacpp-models',
    reason: 'a scripted model has no vocabulary and no weights to describe',
    ignored: ['data[].meta'],
  },
  {
    recording: 'llamacpp-chat-nomodel',
    reason: 'it has several models, so a name is required',
    answers: { status: 400, body: /model name is missing from the request/ },
  },
  {
    recording: 'llamacpp-chat-othermodel',
    reason: 'it has several models, so the name selects one',
    answers: { status: 404, body: /model 'gpt-4o' not found/ },
  },
  {
    recording: 'ollama-chat-cors-ok',
    reason: 'pages of other servers on this computer must not use it',
    answers: { status: 403, body: /^$/ },
  },
  {
    recording: 'llamacpp-chat-cors',
    reason: 'pages of other sites must not use it',
    answers: { status: 403, body: /^$/ },
  },
  {
    recording: 'llamacpp-options',
    reason: 'pages of other sites must not use it',
    answers: { status: 403, body: /^$/ },
  },
  {
    recording: 'llamacpp-api-version',
    reason: 'both protocols share one port',
    answers: { status: 200, body: /^{"version":/ },
  },
  {
    recording: 'llamacpp-api-tags',
    reason: 'both protocols share one port',
    answers: { status: 200, body: /^{"models":/ },
  },
  {
    recording: 'llamacpp-api-show',
    reason: 'both protocols share one port',
    answers: { status: 200, body: /^{"modelfile":/ },
  },
  {
    recording: 'llamacpp-api-chat',
    reason: 'both protocols share one port',
    answers: { status: 200, body: /^{"model":/ },
  },
  {
    recording: 'llamacpp-api-embed',
    reason: 'both protocols share one port',
    answers: { status: 501, body: /^{"error":"This server does not support embeddings/ },
  },
  {
    recording: 'ollama-show-embed',
    reason: 'a scripted model has no tensors and few facts about itself',
    ignored: ['model_info', 'tensors'],
  },
  {
    recording: 'llamacpp-embeddings-overflow',
    reason: 'its tokens have four characters, not one',
    text: /"input \(1001 tokens\) is too large to process\. increase the physical batch size \(current batch size: 512\)"/,
  },
  {
    recording: 'llamacpp-embeddings-legacy',
    reason: 'it lacks the older endpoint, which nothing here uses',
    answers: { status: 404, body: /File Not Found/ },
  },
  {
    recording: 'llamacpp-embeddings-chat-on-embed',
    model: 'demo-embed',
    reason: 'an error is clearer than the nonsense that an embedding model writes in a chat',
    answers: { status: 400, body: /\\"demo-embed\\" does not support chat/ },
  },
  {
    recording: 'ollama-midstream-error',
    reason: 'no scripted model violates its grammar; a failing one breaks off the connection',
    answers: { status: 200, body: /"done":true/ },
  },
  {
    recording: 'llamacpp-midstream-error',
    reason: 'no scripted model violates its grammar; a failing one breaks off the connection',
    answers: { status: 200, body: /data: \[DONE]/ },
  },
];
