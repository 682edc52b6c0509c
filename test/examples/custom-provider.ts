import {
  Providers,
  type Message,
  type ProviderCredentials,
  type RawAssistant,
  type SamplingParams,
  type ToolType,
} from '../../src/library';

interface AcmeCredentials extends ProviderCredentials {
  apiKey: string;
}

export class AcmeProvider extends Providers {
  readonly #apiKey: string;

  constructor(credentials: AcmeCredentials) {
    super();
    this.configure(credentials); // sampling, retry, cost, raw, rescue
    this.#apiKey = credentials.apiKey;
  }

  protected async chatInternal(
    tools: ToolType[],
    messages: Message[],
    sampling?: SamplingParams, // merged already
  ): Promise<RawAssistant> {
    // retries, the time limit, the caller's signal, redaction and the ledger come with `request`
    const { response, attempts } = await this.request('https://acme.example/v1/talk', {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#apiKey}` },
      body: JSON.stringify({ tools, messages, heat: sampling?.temperature, ...this.raw }),
    });
    const data = await response.json();
    return { content: data.text ?? '', toolCalls: [], usage: {}, attempts };
  }
}
