// The demo server of this window: started when first needed, stopped with the extension. Knows no vscode.
import type { DemoServer } from '../../demo';
import { loadEngine } from '../load-engine';

export class DemoBackEnd {
  #server: Promise<DemoServer> | undefined;

  /** @returns the base address of a side. */
  async host(side: 'local' | 'hosted'): Promise<string> {
    this.#server ??= loadEngine().then(({ startDemoServer }) => startDemoServer());
    try {
      const { localHost, hostedHost } = await this.#server;
      return side === 'local' ? localHost : hostedHost;
    } catch (error) {
      this.#server = undefined; // so that the next run tries again
      throw error;
    }
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await (await server)?.close();
  }
}
