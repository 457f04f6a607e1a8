import { recordOrder } from '../../../../attribution.mjs';

/** Credits a paid order. */
export async function POST(request) {
  let order;
  try {
    order = await request.json();
  } catch {
    return Response.json({ message: 'The body must be JSON' }, { status: 400 });
  }
  return Response.json({ credited: await recordOrder(order) });
}
