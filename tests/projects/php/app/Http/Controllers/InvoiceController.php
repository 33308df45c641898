<?php

namespace App\Http\Controllers;

use Symfony\Component\Routing\Attribute\Route;

#[Route('/invoices')]
class InvoiceController extends Controller
{
    public function __construct(protected InvoiceRepository $invoices)
    {
    }

    #[Route('/{id}', name: 'show', methods: ['GET', 'HEAD'])]
    public function show(int $id): Response
    {
        return $this->render($this->invoices->find($id));
    }

    #[Route(path: '/', methods: 'POST')]
    public function store(Request $request): Response
    {
        if (!$request->isValid()) {
            return $this->fail();
        }

        return $this->render(Invoice::create($request->all()));
    }
}
