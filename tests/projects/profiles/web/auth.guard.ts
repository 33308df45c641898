export class AuthGuard {}
