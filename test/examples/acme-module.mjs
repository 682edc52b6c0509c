// .vscode/acme.mjs, named by "providerPlayground.customProviders": ".vscode/acme.mjs"
export default ({ Providers }) =>
  class AcmeProvider extends Providers {
    static playground = { label: 'Acme', host: 'https://acme.example/v1', model: 'acme-1', needsKey: true };

    constructor(credentials) {
      super();
      this.configure(credentials);
      this.credentials = credentials; // apiKey, model, host
    }

    async chatInternal(tools, messages, sampling) {
      const { apiKey, model, host } = this.credentials;
      const { response, attempts } = await this.request(`${host}/talk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ model, tools, messages, heat: sampling?.temperature }),
      });
      const data = await response.json();
      return { content: data.text ?? '', toolCalls: [], usage: {}, attempts };
    }
  };
