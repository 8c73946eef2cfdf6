import { serializer } from '@suite/chassis';

/** Things in an order are named by what is ordered: `pipelines`, or the id of the pipeline whose stages are. */
export const serializeOn = serializer<string>();
