// The compiler compares what the providers send with what the vendors' own clients send. No runtime code.
import type {
  MessageCreateParamsNonStreaming,
  MessageCreateParamsStreaming,
} from '@anthropic-ai/sdk/resources/messages';
import type { ChatRequest, EmbedRequest, EmbeddingsRequest } from 'ollama';
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import type {
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
} from 'openai/resources/responses/responses';
import type { EmbedBody, OldEmbedBody } from '../../../../src/library/wire/embeddings-wire';
import type {
  HostedApiBody,
  HostedApiStreamBody,
} from '../../../../src/library/wire/hosted-api/hosted-api-body';
import type { LocalHostBody } from '../../../../src/library/wire/local-host/local-host-body';
import type { MessagesBody } from '../../../../src/library/wire/messages/messages-body';
import type { ResponsesBody } from '../../../../src/library/wire/responses/responses-body';
import type { UnknownPaths, Within } from './unknown-paths';

/** Fields that the providers send beyond the vendor's types, and the server that reads them. */
export interface ExtraFields {
  localHost: {
    'messages[].tool_call_id': 'Ollama: api.Message.ToolCallID, for renderers that name the call; passed on to llama-server';
    'messages[].tool_calls[].id': 'Ollama: api.ToolCall.ID; it sends one itself, and a recorded history with it was accepted';
  };
  hostedApi: {
    'messages[].tool_calls[].extra_content': 'Gemini: it refuses a call that comes back without its thought signature; sent only where one came';
  };
  messages: {
    temperature: 'Models before Claude Opus 4.7, and every other server; left out for the models that refuse it';
    top_p: 'As for temperature';
    top_k: 'As for temperature';
  };
}

/**
 * A text of the model in OpenAI's type has an id, a status and annotations, which only the service can give; it accepts the text
 * without them, and llama-server wants it in this form. https://platform.openai.com/docs/guides/conversation-state
 */
type WithIds<Body extends ResponsesBody> = Omit<Body, 'input'> & { input: WithId<Body['input'][number]>[] };
type WithId<Item> = Item extends { role: 'assistant'; content: [infer Part] }
  ? Omit<Item, 'content'> & { id: string; status: 'completed'; content: (Part & { annotations: [] })[] }
  : Item;

type Whole<Body extends { stream?: true }> = Omit<Body, 'stream'>;
type Streamed<Body extends { stream?: true }> = Body & { stream: true };

interface Pairs {
  localHost: [LocalHostBody, ChatRequest];
  localEmbed: [EmbedBody, EmbedRequest];
  localOldEmbed: [OldEmbedBody, EmbeddingsRequest];
  hostedApi: [HostedApiBody, ChatCompletionCreateParamsNonStreaming];
  hostedApiStream: [HostedApiStreamBody, ChatCompletionCreateParamsStreaming];
  hostedEmbed: [EmbedBody, EmbeddingCreateParams];
  messages: [Whole<MessagesBody>, MessageCreateParamsNonStreaming];
  messagesStream: [Streamed<MessagesBody>, MessageCreateParamsStreaming];
  responses: [Whole<WithIds<ResponsesBody>>, ResponseCreateParamsNonStreaming];
  responsesStream: [Streamed<WithIds<ResponsesBody>>, ResponseCreateParamsStreaming];
}

/** The pairs in which our body is not assignable to the vendor's type. */
type Refused = {
  [Name in keyof Pairs]: Pairs[Name][0] extends Pairs[Name][1] ? never : Name;
}[keyof Pairs];

type Unknown<Name extends keyof Pairs> = UnknownPaths<Pairs[Name][0], Pairs[Name][1]>;
type Extra<Name extends keyof ExtraFields> = keyof ExtraFields[Name];

export type Checks = [
  Within<never, Refused>,
  // Every unknown field is in the list.
  Within<Extra<'localHost'>, Unknown<'localHost'>>,
  Within<Extra<'hostedApi'>, Unknown<'hostedApi' | 'hostedApiStream'>>,
  Within<never, Unknown<'localEmbed' | 'localOldEmbed' | 'hostedEmbed'>>,
  Within<never, Unknown<'responses' | 'responsesStream'>>,
  Within<Extra<'messages'>, Unknown<'messages' | 'messagesStream'>>,
  Within<Unknown<'messages'>, Extra<'messages'>>,
  // The list contains no other field: no field that is not sent, and none that the vendor's type has by now.
  Within<Unknown<'localHost'>, Extra<'localHost'>>,
  Within<Unknown<'hostedApi'>, Extra<'hostedApi'>>,
];

/** Checks that the comparison itself works. */
export type ChecksOfTheCheck = [
  Within<UnknownPaths<{ model: string; mesages: [] }, ChatRequest>, 'mesages'>,
  Within<UnknownPaths<{ model: string; options: { seed: 1; top_kk: 1 } }, ChatRequest>, 'options.top_kk'>,
  // The type is not even assignable, because the options have no field in common with the vendor's.
  Within<UnknownPaths<{ model: string; options: { top_kk: 1 } }, ChatRequest>, ''>,
  Within<
    UnknownPaths<
      { model: string; messages: { role: 'user'; content: string; tool_calls: [] }[] },
      ChatCompletionCreateParamsNonStreaming
    >,
    'messages[].tool_calls'
  >,
];
