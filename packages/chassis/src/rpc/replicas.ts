/** Channels to a service that has several replicas behind one name, such as a headless Service of Kubernetes. */
import { type Channel, type ChannelOptions, connectivityState } from '@grpc/grpc-js';
import { createChannel } from 'nice-grpc';
import { deadline } from '../runtime/config.ts';

/** Largest size of a message. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

const OPTIONS: ChannelOptions = {
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // The default of 30 s would delay the look-up after a replica has stopped.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  // Each channel has its own connections. With shared ones, a new channel would stay with the replicas of the previous
  // channel if the name has one address for all replicas.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Default time until a channel is replaced. */
const LIFETIME_MS = 30_000;
/** Time for the calls of a replaced channel. Longer than any call. */
const GRACE_MS = deadline(60_000);

/** The channel to a service, which is replaced from time to time. */
export interface Replicas {
  /** Returns the channel for the next call. */
  channel(): Channel;
  close(): void;
}

/**
 * Opens a channel that distributes its calls evenly among the replicas of a service, and replaces it regularly. Only a
 * new channel looks up the addresses and finds new replicas: the connections of the old one would last until they
 * break. The client replaces the channel, and not the server (`grpc.max_connection_age_ms`), because a server that ends
 * a connection can miss a call that the client has just sent. The old channel is used until the new one is connected.
 * @param lifetime_ms time until the channel is replaced, in milliseconds, give or take a tenth
 */
export function openReplicas(address: string, lifetime_ms = LIFETIME_MS): Replicas {
  const open = () => createChannel(address, undefined, OPTIONS);
  const end = () => performance.now() + lifetime_ms * (0.9 + Math.random() * 0.2);
  const retired = new Map<Channel, NodeJS.Timeout>();
  const retire = (channel: Channel) => {
    const close = () => {
      retired.delete(channel);
      channel.close();
    };
    retired.set(channel, setTimeout(close, GRACE_MS).unref());
  };
  let channel = open();
  let next: Channel | undefined;
  let ends_at = end();
  return {
    channel() {
      if (performance.now() < ends_at) return channel;
      next ??= open();
      // This also starts to connect.
      if (next.getConnectivityState(true) !== connectivityState.READY) return channel;
      retire(channel);
      channel = next;
      next = undefined;
      ends_at = end();
      return channel;
    },
    close() {
      for (const [old, timer] of retired) {
        clearTimeout(timer);
        old.close();
      }
      channel.close();
      next?.close();
    },
  };
}
