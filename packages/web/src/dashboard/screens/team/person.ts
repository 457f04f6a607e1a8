export interface Person {
  userId: string;
  name: string;
  email: string;
  role: string;
  lastSeenAt: string | null;
  hasSecondFactor: boolean;
  version: string;
}
