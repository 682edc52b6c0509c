// Registers the tools that agents in the editor's chat can use. What they do is loaded with the first use.
import * as vscode from 'vscode';
import { AGENT_TOOLS } from '../contributions';
import type { AgentToolName } from '../contributions';
import { Lazy } from '../lazy';
import type { AgentToolDependencies } from './agent-tool';
import type { AgentToolServices } from './agent-tool-services';

export class AgentTools implements vscode.Disposable {
  readonly #registrations: vscode.Disposable[];

  constructor(dependencies: AgentToolDependencies) {
    const services = new Lazy<AgentToolServices>(async () => {
      const { AgentToolServices: Services } = await import('./agent-tool-services');
      return new Services(dependencies);
    });
    this.#registrations = Object.entries(AGENT_TOOLS).map(([key, id]) => {
      const name = key as AgentToolName;
      return vscode.lm.registerTool(id, {
        prepareInvocation: async ({ input }) => (await services.get()).prepare(name, input),
        invoke: async (options, token) => (await services.get()).invoke(name, options, token),
      });
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
  }
}
