import { serializer } from '@suite/chassis/database';

/** Serializes changes of an order. The key is `pipelines`, or the ID of the pipeline whose stages are ordered. */
export const serializeOn = serializer<string>();
