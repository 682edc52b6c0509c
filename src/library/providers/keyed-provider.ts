// The base class of the providers whose servers list their models at `GET {base}/models`: the protocols of hosted services,
// which several products for local models speak as well.
import type { ServerInfo } from '../../types';
import { toRecord, toText } from '../util/json';
import { pruneUndefined } from '../util/prune-undefined';
import {
  findProduct,
  fromHostedApiModels,
  withLlamaServerDetails,
  withLmStudioDetails,
} from '../wire/hosted-api/hosted-api-models';
import { WireProvider } from './wire-provider';

export abstract class KeyedProvider extends WireProvider {
  protected override get takesToolChoice(): boolean {
    return true;
  }

  protected override async listModelsInternal(): Promise<string[]> {
    const document = await this.getModels();
    return this.readModels(document, fromHostedApiModels).map(({ id }) => id);
  }

  /** The document of the list of models. @throws HttpError, ProviderError (`response-format`) */
  protected getModels(): Promise<unknown> {
    return this.getDocument('/models');
  }

  /** Routes outside the protocol are requested only if the list of models shows a server that has them. */
  protected override async describeServerInternal(): Promise<ServerInfo> {
    const document = await this.getModels();
    const models = this.readModels(document, fromHostedApiModels);
    const product = findProduct(document);
    if (product === 'llama-server') {
      const props = await this.findDocument('/props');
      const version = toText(toRecord(props)['build_info']);
      return { product, ...pruneUndefined({ version }), models: withLlamaServerDetails(models, props) };
    }
    if (product === 'vllm') {
      const version = toText(toRecord(await this.findDocument('/version'))['version']);
      return { product, ...pruneUndefined({ version }), models };
    }
    if (product === 'lm-studio') {
      const details = await this.findDocument('/api/v0/models');
      // `organization_owner` is not specific to LM Studio, so a server without this second list is a different one.
      if (details !== undefined) return { product, models: withLmStudioDetails(models, details) };
    }
    return { models };
  }
}
