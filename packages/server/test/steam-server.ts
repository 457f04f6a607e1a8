import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SteamItem {
  itemid: number;
  qty: number;
  amount: number;
  vat: number;
  itemstatus: string;
}

export interface SteamOrder {
  orderid: string;
  transid: string;
  steamid: string;
  status: string;
  currency: string;
  time: string;
  timecreated: string;
  items: SteamItem[];
}

type Fault = (response: ServerResponse, request: IncomingMessage) => void;

export interface SteamServer {
  url: string;
  /** Orders by app id, in any order. */
  reports: Map<string, SteamOrder[]>;
  /** Requests that arrived: interface, app id, start and size. */
  requests: { sandbox: boolean; app: string; since: string; size: number; key: string | undefined }[];
  /** Answers an app's next requests instead of the report. */
  next(app: string, ...answers: Fault[]): void;
  /** Ends all faults. */
  heal(): void;
  close(): Promise<void>;
}

/** Formats a time as Steam does, in whole seconds. */
export const steamTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

let orders = 0;

/** Makes an order of 11.99 without 2.28 of VAT. */
export function steamOrder(now: Date, changes: Partial<SteamOrder> = {}): SteamOrder {
  orders += 1;
  return {
    orderid: String(938_000 + orders),
    transid: String(374_000_000 + orders),
    steamid: '76561197972751825',
    status: 'Succeeded',
    currency: 'USD',
    time: steamTime(now),
    timecreated: steamTime(now),
    items: [
      { itemid: 100, qty: 1, amount: 999, vat: 190, itemstatus: 'Succeeded' },
      { itemid: 101, qty: 1, amount: 200, vat: 38, itemstatus: 'Succeeded' },
    ],
    ...changes,
  };
}

/** Starts a server on loopback that answers `GetReport` in the documented form. */
export async function startSteam(key: string): Promise<SteamServer> {
  const reports = new Map<string, SteamOrder[]>();
  const requests: SteamServer['requests'] = [];
  const faults = new Map<string, Fault[]>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, name = '', method, version] = url.pathname.split('/');
    const app = url.searchParams.get('appid') ?? '';
    const since = url.searchParams.get('time') ?? '';
    const size = Number(url.searchParams.get('maxresults') ?? 1_000);
    const sent = request.headers['x-webapi-key'] as string | undefined;
    requests.push({ sandbox: name === 'ISteamMicroTxnSandbox', app, since, size, key: sent });
    const fault = faults.get(app)?.shift();
    if (fault !== undefined) return fault(response, request);
    if (sent !== key || method !== 'GetReport' || version !== 'v5')
      return respond(response, 403, 'Forbidden');
    const report = (reports.get(name === 'ISteamMicroTxnSandbox' ? `sandbox ${app}` : app) ?? [])
      .filter(({ time }) => time >= since)
      .toSorted((one, other) => one.time.localeCompare(other.time))
      .slice(0, size);
    respond(response, 200, { response: { result: 'OK', params: { count: report.length, orders: report } } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    reports,
    requests,
    next: (app, ...answers) => void faults.set(app, [...(faults.get(app) ?? []), ...answers]),
    heal: () => faults.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function respond(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
