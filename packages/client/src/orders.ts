import type { NamedOrder, OrderToName } from './api.generated.ts';
import type { Call } from './call.ts';
import { nameOrder } from './operations.ts';
import { Resource } from './resource.ts';
import type { CallOptions } from './send.ts';

/** Orders of payment providers that connectors record, such as Steam's. */
export class Orders extends Resource {
  /**
   * Names the creator code and the player of an order, before you start it at the provider. The last call counts, until the purchase is
   * recorded.
   *
   * ```sh
   * curl -X PUT $BASE/v1/connectors/$CONNECTOR/orders/938473 -H "X-SHARED-SECRET: $KEY" \
   *   -H 'Content-Type: application/json' -d '{"code":"ALICE","playerId":"player-77"}'
   * ```
   * @throws NotFound if there is no such connector
   * @throws Conflict if the purchase was recorded with another code or player
   */
  name(
    connectorId: string,
    orderId: string,
    order: OrderToName,
    options: CallOptions = {},
  ): Call<NamedOrder> {
    return this.call<NamedOrder>(nameOrder, options, { path: { connectorId, orderId }, body: order });
  }
}
