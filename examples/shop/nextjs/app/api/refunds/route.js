import { refundOrder } from '../../../../attribution.mjs';

/** Takes back the creator's part of a refund. */
export async function POST(request) {
  let refund;
  try {
    refund = await request.json();
  } catch {
    return Response.json({ message: 'The body must be JSON' }, { status: 400 });
  }
  return Response.json({ refunded: await refundOrder(refund) });
}
