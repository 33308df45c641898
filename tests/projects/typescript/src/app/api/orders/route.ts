export async function GET(request: Request) {
  return Response.json([]);
}

export const POST = async (request: Request) => new Response();
