// A custom provider that exposes what `request()` passes to its author.
import type {
  Message,
  ProviderCredentials,
  RawAssistant,
  SamplingParams,
  ToolType,
} from '../../../src/library';
import { Providers } from '../../../src/library';

export interface ProbeCredentials extends ProviderCredentials {
  apiKey?: string;
}

export class ProbeProvider extends Providers {
  readonly #url: string;
  readonly #apiKey: string;
  /** Sampling parameters of the last call. */
  sampling: SamplingParams | undefined;

  constructor(url: string, credentials: ProbeCredentials = {}) {
    super();
    this.configure(credentials);
    this.#url = url;
    this.#apiKey = credentials.apiKey ?? 'no-key';
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams,
  ): Promise<RawAssistant> {
    this.sampling = sampling;
    const { response, attempts } = await this.request(this.#url, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#apiKey}` },
      body: JSON.stringify({ tools: tools.length, messages, ...this.raw }),
    });
    const data = response.ok ? await response.json() : { text: `status ${response.status}` };
    return { content: data.text ?? '', toolCalls: [], usage: {}, attempts };
  }
}

export const HELLO: Message[] = [{ role: 'user', content: 'Hello' }];
