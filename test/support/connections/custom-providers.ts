// Providers as third parties write them: one with a tiny protocol of its own, and one that delegates to another
// provider.
import type {
  ChatDelta,
  Message,
  ProviderCredentials,
  RawAssistant,
  SamplingParams,
  ToolType,
} from '../../../src/library';
import { Providers } from '../../../src/library';

export interface EchoCredentials extends ProviderCredentials {
  apiKey: string;
}

/** Sends `{ messages, tools, sampling }` and expects `{ text, usage? }`. */
export class EchoProvider extends Providers {
  private readonly apiKey: string;
  private readonly url: string;

  constructor(url: string, credentials: EchoCredentials) {
    super();
    this.configure(credentials);
    this.url = url;
    this.apiKey = credentials.apiKey;
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant> {
    const { response, attempts } = await this.request(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.apiKey}` },
      body: JSON.stringify({ messages, tools, sampling, ...this.raw }),
    });
    const data = await response.json();
    return { content: data.text ?? '', toolCalls: [], usage: data.usage ?? {}, attempts };
  }
}

/** Delegates everything; its own credentials apply in addition to those of the other provider. */
export class RelayProvider extends Providers {
  private readonly next: Providers;

  constructor(next: Providers, credentials: ProviderCredentials = {}) {
    super();
    this.configure(credentials);
    this.next = next;
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant> {
    const onDelta = this.isObserved ? (delta: ChatDelta): void => this.emitDelta(delta) : undefined;
    const { raw } = await this.next.chat({ tools, messages, sampling, onDelta });
    return raw;
  }
}
