// Providers as their authors write them: one with a little protocol of its own, one that hands on to another provider.
import type {
  ChatDelta,
  Message,
  ProviderCredentials,
  RawAssistant,
  SamplingParams,
  ToolType,
} from '../../src/library';
import { Providers } from '../../src/library';

export interface EchoCredentials extends ProviderCredentials {
  apiKey: string;
}

/** `{ messages, tools, sampling }` → `{ text, usage? }` */
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

/** Hands everything on; what it was given of its own counts beside what the other provider was given. */
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
